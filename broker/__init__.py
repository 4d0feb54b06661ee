"""Paizhuo's table authority: rules, wire, tables, verification, service."""
