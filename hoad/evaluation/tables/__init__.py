"""Tables of players with partners: one engine plays and keeps the cells of all of them."""
