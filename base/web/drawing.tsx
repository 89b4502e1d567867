import css from '#base/web/drawing.module.css'

/** The house illustration for nearly empty pages. A separate file (house.svg), so that other pages do not load it. */
export function Drawing() {
  return <span className={css.drawing} aria-hidden="true" />
}
