import { useLoaderData } from 'react-router'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { Empty } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import { threadPath } from '#kind/contract.ts'
import { editQuestion, type myQuestion } from '#question/contract.ts'
import { FurtherTags } from '#question/web/further-tags.tsx'
import { useSite } from '#setting/web/setting.tsx'
import type { Tags } from '#tag/web/tag.tsx'
import type { editableTopic } from '#topic/contract.ts'
import { HowItStands } from '#topic/web/edit-topic-page.tsx'
import { TopicForm } from '#topic/web/topic-form.tsx'

export type EditQuestionData = {
  topic: Output<typeof editableTopic>
  mine: Output<typeof myQuestion>
  tags: Tags
  mostTags: number
}

export function Page() {
  const words = useWords('question')
  const { open } = useSite()
  const { topic, mine, tags, mostTags } = useLoaderData<EditQuestionData>()
  const questionId = topic.topicId
  const further = mine.tags.map(({ id }) => id).filter((id) => id !== topic.place.id)
  if (!open.questionEdits) return <Empty>{words('closedAsking')}</Empty>
  return (
    <section className="column">
      <h1>{words('editTitle')}</h1>
      {!topic.isPending && (
        <p>
          <Link to={threadPath(questionId, 'question')}>{words('backToQuestion')}</Link>
        </p>
      )}
      {topic.waiting && <HowItStands waiting={topic.waiting} />}
      <TopicForm
        key={questionId}
        kind="question"
        sends={editQuestion}
        along={{ questionId }}
        draftKey={`edit topic ${questionId}`}
        first={topic}
        newcomer={topic.newcomer}
        isAnothers={topic.isAnothers}
        deed={words('save')}
        further={<FurtherTags tags={tags} most={mostTags} first={further} chosen={topic.place.id} />}
      />
    </section>
  )
}
