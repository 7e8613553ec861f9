"""Pictures that TensorBoard shows of a training: values by two moves."""

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from hoad.game.moves import move_name
from hoad.game.state import full_game


def draw_move_table(
    table: np.ndarray,
    sides: tuple[str, str] = ("the partner's move before it", "move"),
    unit: str = "probability",
) -> np.ndarray:
    """Draw values from 0 to 1 by two moves; return the picture, uint8, (height, width, 3).

    ``sides`` say what rows and columns are, ``unit`` what the values are; by default those of
    :func:`hoad.learning.rainbow.move_table.move_table`.
    """
    figure = Figure((7, 6.2), dpi=100, layout="constrained")
    canvas, axes = FigureCanvasAgg(figure), figure.add_subplot()
    names = [move_name(full_game(2), move) for move in range(len(table))]
    axes.set_xticks(range(len(names)), names, rotation=90)
    axes.set_yticks(range(len(names)), names)
    axes.set(ylabel=sides[0], xlabel=sides[1])
    image = axes.imshow(table, vmin=0, vmax=1, cmap="viridis")
    figure.colorbar(image, label=unit, shrink=0.8)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[..., :3].copy()
