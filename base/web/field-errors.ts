export type SortedErrors = { atFields: Record<string, string>; others: string }

/**
 * The specification's rule for the server's field errors: a key with an underscore belongs to a part of the field before it, a known key to
 * its field, and all others form one numbered list. Only names of the form itself count as known.
 */
export function sortErrors(messages: Record<string, string>, known: ReadonlySet<string>): SortedErrors {
  const atFields: Record<string, string> = Object.create(null)
  const others: string[] = []
  for (const [key, message] of Object.entries(messages)) {
    const field = fieldOf(key, known)
    if (field === undefined) {
      others.push(message)
      continue
    }
    // A field of several parts shows each message at its part; one that does not know its parts shows them all.
    if (field !== key) atFields[key] = message
    atFields[field] = atFields[field] ? `${atFields[field]}\n${message}` : message
  }
  return { atFields, others: others.map((message, index) => `${index + 1}. ${message}`).join('\n') }
}

function fieldOf(key: string, known: ReadonlySet<string>): string | undefined {
  if (known.has(key)) return key
  const [field = ''] = key.split('_')
  return key.includes('_') && known.has(field) ? field : undefined
}
