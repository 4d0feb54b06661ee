"""The rules of the games: pure functions over frozen records, standard library only."""
