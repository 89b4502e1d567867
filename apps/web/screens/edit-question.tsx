import { useLoaderData } from 'react-router'
import { editQuestion } from '#question/contract.ts'
import { EditThread, type EditData } from '#topic/web/edit-topic-page.tsx'

export function Page() {
  const data = useLoaderData<EditData>()
  return <EditThread kind="question" data={data} sends={editQuestion} along={{ questionId: data.topic.topicId }} />
}
