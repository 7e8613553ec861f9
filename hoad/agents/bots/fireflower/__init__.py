"""FireFlower: hints and discards put beliefs on cards; a short simulation chooses the move."""
