import type { ReactNode } from 'react'
import css from '#base/admin/ticks.module.css'

/** A group of checkboxes in columns, under one heading. */
export function CheckboxGroup({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset className={css.ticks}>
      <legend>{legend}</legend>
      {children}
    </fieldset>
  )
}
