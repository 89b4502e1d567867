import { useState } from 'react'
import { useNavigate } from 'react-router'
import { confirm } from '#base/web/dialogs.ts'
import type { Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { useAction } from '#base/web/action.ts'
import { useMember } from '#account/web/account.tsx'
import { useLater } from '#base/web/lazy-part.ts'
import { MenuButton, MenuLink } from '#base/web/menu.tsx'
import { PostMenu } from '#base/web/share-menu.tsx'
import { reporting, TranslateItem, useUndo } from '#post/web/post.tsx'
import { toast } from '#base/web/toast.tsx'
import { useVersions } from '#base/web/versions.tsx'
import { useWords } from '#base/web/words.tsx'
import { useSite } from '#setting/web/setting.tsx'
import { threadPath } from '#kind/contract.ts'
import type { removeTopic, thread, topicHistory, topicMarkdown } from '#topic/contract.ts'
import { editPath } from '#topic/web/topic.tsx'

type Topic = Pick<Output<typeof thread>, 'id' | 'kind' | 'title' | 'author' | 'commentCount' | 'editedAt' | 'segments'>

type Props = { topic: Topic; /** Null for visitors and while it loads. */ can: { edit: boolean; remove: boolean } | null }

/** The menu with the less frequent actions on a topic. */
export function TopicActions({ topic, can }: Props) {
  const words = useWords('topic')
  const [share, site] = [useWords('share'), useWords('site')]
  const go = useNavigate()
  const me = useMember()
  const { open } = useSite()
  const { id: topicId, segments } = topic
  const undo = useUndo()
  const removal = useAction<typeof removeTopic>('/topic/remove')
  const { history, markdown } = useTexts(topicId)
  const isAnothers = me !== null && me.userId !== topic.author.id
  const [isAsked, ask] = useState(false)
  const close = () => ask(false)
  const removalPart = useLater(() => import('#topic/web/topic-removal.tsx'), isAsked, close)

  // A withdrawn question keeps its page, which is loaded again.
  function onward({ isWithdrawn }: Output<typeof removeTopic>): void | Promise<void> {
    if (!isWithdrawn) return go(topic.kind === 'question' ? '/askList' : '/index', { replace: true })
  }

  async function remove(): Promise<void> {
    if (isAnothers) return ask(true)
    const isAnswered = topic.kind === 'question' && topic.commentCount > 0
    const question = isAnswered ? words('removeAnswered') : words('removeQuestion', { kind: topic.kind })
    if (!(await confirm(question, words('remove')))) return
    const { isWithdrawn } = (await removal.run({ topicId }, { onSuccess: onward })) ?? {}
    if (isWithdrawn) toast(words('wordsRemoved'))
    else if (isWithdrawn === false) undo({ kind: 'topic', id: topicId }, () => go(threadPath(topicId, topic.kind)))
  }

  return (
    <>
      <PostMenu path={threadPath(topicId, topic.kind)} title={topic.title} markdown={markdown} canPrint>
        <TranslateItem of={{ kind: 'topic', id: topicId }} segments={segments} />
        {topic.editedAt && <MenuButton onClick={history.open}>{site('versions')}</MenuButton>}
        {can?.edit && <MenuLink to={editPath(topicId, topic.kind)}>{words('edit')}</MenuLink>}
        {can && open.reports && isAnothers && (
          <MenuButton onClick={() => reporting.set({ kind: 'topic', thread: topic.kind, id: topicId })}>{share('report')}</MenuButton>
        )}
        {can?.remove && (
          <MenuButton danger disabled={removal.isBusy} onClick={() => void remove()}>
            {words('remove')}
          </MenuButton>
        )}
      </PostMenu>
      {history.dialog}
      {removalPart && <removalPart.TopicRemoval topicId={topicId} kind={topic.kind} isOpen={isAsked} close={close} />}
    </>
  )
}

/** The earlier versions of the post, and its Markdown. */
function useTexts(topicId: string) {
  const api = useApi()
  const history = useVersions((page) => api.read<typeof topicHistory>('/topic/history', { topicId, page }, { shared: true }))
  const markdown = async () => (await api.read<typeof topicMarkdown>('/topic/markdown', { topicId }, { shared: true })).markdown
  return { history, markdown }
}
