import type { ReactNode } from 'react'
import { OneOf, type Find, type Option } from '#base/admin/one-of.tsx'
import { Labelled, useForm } from '#base/web/form.tsx'

type OneOfFieldProps<One extends Option> = {
  name: string
  label: ReactNode
  placeholder: string
  find: Find<One>
  first?: One | undefined
  choose?: (one: One | null) => void
  isFirst?: boolean
  isFar?: boolean
}

/** A form field that selects one of many options, found by typing. */
export function OneOfField<One extends Option>({ name, label, choose, ...props }: OneOfFieldProps<One>) {
  const { mend } = useForm()
  function chosen(one: One | null): void {
    mend(name)
    choose?.(one)
  }
  return (
    <Labelled name={name} label={label}>
      {(control) => <OneOf name={name} control={nameless(control)} choose={chosen} {...props} />}
    </Labelled>
  )
}

type Control = { id: string; 'aria-describedby': string; 'aria-invalid'?: true }

// The selected value is submitted by name, the typed text is not.
function nameless({ id, 'aria-describedby': described, 'aria-invalid': wrong }: Control): Control {
  return { id, 'aria-describedby': described, ...(wrong && { 'aria-invalid': wrong }) }
}
