"""Cross-play, agreement and the ad-hoc table, with their statistics and figures."""
