"""How well imitators play and predict, beside what they imitate."""
