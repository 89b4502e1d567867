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

/** A line of a form that takes one of many, found by typing. */
export function OneOfField<One extends Option>({ name, label, choose, ...props }: OneOfFieldProps<One>) {
  const { mend } = useForm()
  function chosen(one: One | null): void {
    mend(name)
    choose?.(one)
  }
  return (
    <Labelled name={name} label={label}>
      {({ name: _, ...control }) => <OneOf name={name} control={control} choose={chosen} {...props} />}
    </Labelled>
  )
}
