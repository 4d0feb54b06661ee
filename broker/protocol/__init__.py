"""The wire: topics, messages, codec, signed envelope."""
