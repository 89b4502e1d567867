import { useApi } from '#base/web/api.ts'
import { later, useNeeded } from '#base/web/lazy-part.ts'
import type { PlaceComponents, Places } from '#base/web/places.tsx'
import { Failed, FieldsPlaceholder } from '#base/web/states.tsx'
import type { pollForm } from '#poll/contract.ts'

export const places: PlaceComponents = {
  'topicForm.belowText': PollOfThread,
}

/** The fields of a poll, which load with its limit. Nothing where the author may add none. */
function PollOfThread({ first }: Pick<Places['topicForm.belowText'], 'first'>) {
  const api = useApi()
  const { part, hasFailed, retry } = useNeeded(async () => {
    const [fields, { maxOptions }] = await Promise.all([
      later(import('#poll/web/poll-fields.tsx')),
      api.read<typeof pollForm>('/poll/form', {}, { silent: true }),
    ])
    return { ...fields, maxOptions }
  })
  if (hasFailed) return <Failed retry={retry} />
  if (!part) return <FieldsPlaceholder height={22.5} />
  return part.maxOptions > 0 && <part.PollFields most={part.maxOptions} first={first} />
}
