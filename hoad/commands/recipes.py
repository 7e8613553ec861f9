"""The command that lists the recipes that come with HOAD."""


def recipes() -> None:
    """List the recipes that come with HOAD: their names, and what each makes.

    A command takes a recipe by its name (hoad record play demo, hoad train imitator demo/imitator)
    or as a file; a file in the current directory comes before the recipe of the same name.
    """
    from hoad.core.paths import SHIPPED, SHIPPED_EXAMPLES
    from hoad.core.recipe import RECIPE_SUFFIX
    from hoad.core.recipe_files import RECIPE_FOLDERS, recipe_summary, shipped_recipes

    for folder, commands in RECIPE_FOLDERS.items():
        names = shipped_recipes(folder)
        width = max(map(len, names))
        print(f"{folder}, for {commands}")
        for name in names:
            path = SHIPPED / folder / f"{name}{RECIPE_SUFFIX}"
            print(f"  {name:{width}}  {recipe_summary(path)}")
        print()
    print(f"Recipes are in {SHIPPED}, programs and a notebook in {SHIPPED_EXAMPLES}")
