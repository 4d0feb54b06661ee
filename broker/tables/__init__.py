"""Live tables: log, table, clocks, hub."""
