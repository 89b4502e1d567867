import type { ReactNode } from 'react'
import { Combobox, type FindOptions, type Option } from '#base/admin/combobox.tsx'
import { LabelledControl, useForm } from '#base/web/form.tsx'

type ComboboxFieldProps<One extends Option> = {
  name: string
  label: ReactNode
  placeholder: string
  find: FindOptions<One>
  initial?: One | undefined
  choose?: (one: One | null) => void
  isFirst?: boolean
  isRemote?: boolean
}

/** A form field that selects one of many options, found by typing. */
export function ComboboxField<One extends Option>({ name, label, choose, ...props }: ComboboxFieldProps<One>) {
  const { clearError } = useForm()
  function chosen(one: One | null): void {
    clearError(name)
    choose?.(one)
  }
  return (
    <LabelledControl name={name} label={label}>
      {(control) => <Combobox name={name} control={withoutName(control)} choose={chosen} {...props} />}
    </LabelledControl>
  )
}

type Control = { id: string; 'aria-describedby': string; 'aria-invalid'?: true }

// The selected value is submitted by name, the typed text is not.
function withoutName({ id, 'aria-describedby': described, 'aria-invalid': wrong }: Control): Control {
  return { id, 'aria-describedby': described, ...(wrong && { 'aria-invalid': wrong }) }
}
