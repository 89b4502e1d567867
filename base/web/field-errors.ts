/**
 * The specification's rule for the server's field errors: a key with an underscore belongs to the field before it, a known key to its field,
 * and all others become one numbered list. Only names that the form itself has count as known.
 */
export function sortErrors(
  messages: Record<string, string>,
  known: ReadonlySet<string>,
): { atFields: Record<string, string>; others: string } {
  const atFields: Record<string, string> = Object.create(null)
  const others: string[] = []
  for (const [key, message] of Object.entries(messages)) {
    const field = known.has(key) ? key : (key.split('_')[0] ?? '')
    if (known.has(field)) atFields[field] = message
    else others.push(message)
  }
  return { atFields, others: others.map((message, index) => `${index + 1}. ${message}`).join('\n') }
}
