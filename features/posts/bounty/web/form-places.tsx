import { useApi } from '#base/web/api.ts'
import { later, useNeeded } from '#base/web/lazy-part.ts'
import type { PlaceComponents, Places } from '#base/web/places.tsx'
import { Failed, FieldsPlaceholder } from '#base/web/states.tsx'
import type { bountyForm } from '#bounty/contract.ts'

export const places: PlaceComponents = {
  'topicForm.belowText': ({ kind, first }) => kind === 'question' && <FieldsOfOffer first={first} />,
}

/** The fields of an offer, which load with its limits. */
function FieldsOfOffer({ first }: Pick<Places['topicForm.belowText'], 'first'>) {
  const api = useApi()
  const { part, hasFailed, retry } = useNeeded(async () => {
    const [fields, offering] = await Promise.all([
      later(import('#bounty/web/bounty-fold.tsx')),
      api.read<typeof bountyForm>('/bounty/form', {}, { silent: true }),
    ])
    return { ...fields, offering }
  })
  if (hasFailed) return <Failed retry={retry} />
  return part ? <part.BountyFold offering={part.offering} first={first} /> : <FieldsPlaceholder height={40} />
}
