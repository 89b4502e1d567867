import { useNeeded } from '#base/web/lazy-part.ts'
import type { PlaceComponents, Places } from '#base/web/places.tsx'
import { Failed, FieldsPlaceholder } from '#base/web/states.tsx'
import { useSite } from '#setting/web/setting.tsx'

export const places: PlaceComponents = {
  'topicForm.belowText': EnvelopeOfTopic,
}

function EnvelopeOfTopic({ first }: Pick<Places['topicForm.belowText'], 'first'>) {
  const { open } = useSite()
  const { part, hasFailed, retry } = useNeeded(() => import('#red-envelope/web/add-envelope.tsx'))
  if (!open.redEnvelopes) return null
  if (hasFailed) return <Failed retry={retry} />
  return part ? <part.TopicEnvelopeFields first={first} /> : <FieldsPlaceholder height={143} />
}
