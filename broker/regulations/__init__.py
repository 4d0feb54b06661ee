"""Presets: one TOML file a regulation, read by ``broker.presets``."""
