"""One game, turn by turn, with what each player sees, knows and believes: as text, as a page."""
