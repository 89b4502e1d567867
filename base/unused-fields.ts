import { z } from 'zod'

/** Whether a field has a meaning beside the rest of the input. */
type UseOf<Input> = (input: Input) => boolean

// By the check that refuses them, which a form keeps when it gets further ones.
const conditional = new WeakMap<z.core.$ZodCheck, readonly string[]>()

/**
 * Refuses, at its field, a value that the call would take and ignore: one whose condition on the rest of the input does not hold. An empty
 * value, such as a box without a tick, says nothing and passes.
 */
export function refuseUnused<Form extends z.ZodObject>(
  form: Form,
  uses: { readonly [Field in keyof z.output<Form>]?: UseOf<z.output<Form>> },
): Form {
  const all = Object.entries(uses) as [string, UseOf<z.output<Form>>][]
  const check = z.superRefine<z.output<Form>>((input, context) => {
    for (const [field, isUsed] of all)
      if (!isEmpty((input as Record<string, unknown>)[field]) && !isUsed(input))
        context.addIssue({ code: 'custom', path: [field], params: { code: 'validation.unused' } })
  })
  conditional.set(
    check,
    all.map(([field]) => field),
  )
  return form.check(check)
}

/** The fields of a form that `refuseUnused` refuses where they have no meaning. */
export function conditionalFields(form: z.ZodType): string[] {
  return (form.def.checks ?? []).flatMap((check) => conditional.get(check) ?? [])
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined || value === false || value === 0 || value === 0n || value === '' || (Array.isArray(value) && value.length === 0)
  )
}
