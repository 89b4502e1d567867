import { useLoaderData } from 'react-router'
import type { Output } from '#base/contract.ts'
import { editQuestion, type myQuestion } from '#question/contract.ts'
import { FurtherTags } from '#question/web/further-tags.tsx'
import type { Tags } from '#tag/web/tag.tsx'
import type { editableTopic } from '#topic/contract.ts'
import { EditThread } from '#topic/web/edit-topic-page.tsx'

export type EditQuestionData = {
  topic: Output<typeof editableTopic>
  mine: Output<typeof myQuestion>
  tags: Tags
  mostTags: number
}

export function Page() {
  const { topic, mine, tags, mostTags } = useLoaderData<EditQuestionData>()
  const further = topic.tagIds ?? mine.tags.map(({ id }) => id).filter((id) => id !== topic.place.id)
  return (
    <EditThread
      kind="question"
      topic={topic}
      sends={editQuestion}
      along={{ questionId: topic.topicId }}
      renderFurther={(kept) => (
        <FurtherTags tags={tags} most={mostTags} first={kept['tagIds']?.split(' ') ?? further} chosen={topic.place.id} />
      )}
    />
  )
}
