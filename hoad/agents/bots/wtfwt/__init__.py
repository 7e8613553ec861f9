"""WuTheFWasThat's information strategy."""
