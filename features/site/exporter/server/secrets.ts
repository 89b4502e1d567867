import { CannotStart } from '#base/server/cannot-start.ts'
import { secretNames, type SecretName } from '#importer/server/importer.ts'

/** The secrets that an operator names, divided by commas. */
export function secretsNamed(text: string | undefined): Set<SecretName> {
  const named = (text ?? '').split(',').flatMap((name) => name.trim() || [])
  return new Set(
    named.map((name) => {
      const known = secretNames.find((one) => one === name)
      if (!known) throw new CannotStart(`There is no secret called ${name}. There are: ${secretNames.join(', ')}.`)
      return known
    }),
  )
}
