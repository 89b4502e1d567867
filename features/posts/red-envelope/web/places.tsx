import type { PlaceComponents } from '#base/web/places.tsx'
import { EnvelopeRoom } from '#red-envelope/web/red-envelope.tsx'

export const places: PlaceComponents = {
  'thread.belowText': ({ topic }) => topic.parts.redEnvelope && <EnvelopeRoom of={{ topicId: topic.id }} />,
  'comment.belowText': ({ comment: { envelopeId }, className }) =>
    envelopeId && (
      <div className={className}>
        <EnvelopeRoom of={{ envelopeId }} />
      </div>
    ),
}
