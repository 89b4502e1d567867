import { useLoaderData } from 'react-router'
import { Link } from '#base/web/link.tsx'
import type { Endpoint, Output } from '#base/contract.ts'
import { Closed } from '#base/web/closed.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { threadPath, type ThreadKind } from '#kind/contract.ts'
import { useSite } from '#setting/web/setting.tsx'
import { onlyTags, type Tags } from '#tag/web/tag.tsx'
import { editTopic, type editableTopic } from '#topic/contract.ts'
import { TopicForm } from '#topic/web/topic-form.tsx'

type EditableTopic = Output<typeof editableTopic>

/** The thread to edit, and the tags it may be moved to. */
export type EditData = { topic: EditableTopic; tags: Tags; mayPostIn: string[] }

export function Page() {
  const data = useLoaderData<EditData>()
  return <EditThread kind="topic" data={data} sends={editTopic} along={{ topicId: data.topic.topicId }} />
}

type EditThreadProps = {
  kind: ThreadKind
  data: EditData
  sends: Endpoint
  along: Record<string, string>
}

/** The page on which the opening of a thread is edited. */
export function EditThread({ kind, data: { topic, tags, mayPostIn }, sends, along }: EditThreadProps) {
  const words = useWords('topic')
  const { open } = useSite()
  const has = [topic.place.id, ...topic.tagIds]
  if (!(kind === 'question' ? open.questionEdits : open.topicEdits)) return <Closed>{words('closedPosting', { kind })}</Closed>
  return (
    <section className="column">
      <h1>{words('editTitle', { kind })}</h1>
      {!topic.isPending && (
        <p>
          <Link to={threadPath(topic.topicId, kind)}>{words('backToTopic', { kind })}</Link>
        </p>
      )}
      {topic.waiting && <ReviewNote waiting={topic.waiting} />}
      <TopicForm
        key={topic.topicId}
        kind={kind}
        sends={sends}
        along={along}
        draftKey={`edit topic ${topic.topicId}`}
        first={topic}
        newcomer={topic.newcomer}
        isAnothers={topic.isAnothers}
        tags={{
          tags: onlyTags(tags, [...mayPostIn, ...has]),
          most: Math.max(topic.mostTags, has.length),
          first: has,
          isPlaceFixed: topic.isAnothers,
        }}
        action={words('save')}
      />
    </section>
  )
}

/** A note that the edit is pending, or the reason for its rejection. */
function ReviewNote({ waiting: { rejected } }: { waiting: NonNullable<EditableTopic['waiting']> }) {
  const words = useWords('topic')
  const language = useLanguage()
  return <p className="note">{rejected ? words('rejectedBecause', { reason: rejected[language] }) : words('waitsHere')}</p>
}
