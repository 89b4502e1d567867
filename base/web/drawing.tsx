import css from '#base/web/drawing.module.css'

/** The house in a few strokes, where a page has little else. It is a file of its own (house.svg), so that no other page brings it. */
export function Drawing() {
  return <span className={css.drawing} aria-hidden="true" />
}
