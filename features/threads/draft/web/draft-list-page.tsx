import { useLoaderData } from 'react-router'
import { deviceName } from '#base/device-name.ts'
import type { Output } from '#base/contract.ts'
import { confirm } from '#base/web/dialogs.ts'
import { useAction } from '#base/web/action.ts'
import { Link } from '#base/web/link.tsx'
import { Empty } from '#base/web/states.tsx'
import { Time } from '#base/web/time.tsx'
import { useWords, type Translate } from '#base/web/words.tsx'
import { threadPath, type Kind } from '#kind/contract.ts'
import { usePostTitle, usePostWord } from '#kind/web/kind.tsx'
import { editPath } from '#topic/web/topic.tsx'
import type { dropDraft, listDrafts } from '#draft/contract.ts'
import { formHash } from '#writing/web/writing.tsx'
import css from '#draft/web/draft-list-page.module.css'

type Draft = Output<typeof listDrafts>['drafts'][number]

export function Page() {
  const words = useWords('draft')
  const { drafts } = useLoaderData<Output<typeof listDrafts>>()
  const begin = (
    <Link to="/addTopic" className="button">
      {words('write')}
    </Link>
  )
  return (
    <section className="column">
      {drafts.length === 0 && <Empty action={begin}>{words('none')}</Empty>}
      <ol className={css.list}>
        {drafts.map((draft) => (
          <Line key={draft.place} draft={draft} />
        ))}
      </ol>
    </section>
  )
}

/** A description of the post that the draft is for. */
function useWhat({ kind, topic, member }: Draft): string {
  const words = useWords('draft')
  const [word, title] = [usePostWord(), usePostTitle()]
  if (kind === 'topic' || kind === 'question') return words(kind)
  if (kind === 'message') return words('messageTo', { name: member?.name ?? '' })
  const [, edited] = /^edit (topic|comment|reply)$/.exec(kind) ?? []
  const post = { kind: (edited ?? kind) as Kind, thread: topic?.kind ?? 'topic' }
  return edited ? words('changes', { what: word(post) }) : title(post)
}

function Line({ draft }: { draft: Draft }) {
  const words = useWords('draft')
  const drop = useAction<typeof dropDraft>('/user/control/draft/drop')
  const to = pathOf(draft)
  const what = useWhat(draft)
  const device = deviceName(draft.device)

  async function ask(): Promise<void> {
    if (!(await confirm(words('dropQuestion'), words('drop')))) return
    await drop.run({ place: draft.place, version: draft.version }, { message: words('dropped') })
  }
  return (
    <li>
      <p className="meta">
        {what} · <Time at={draft.savedAt} /> {device && `· ${device}`}
      </p>
      <h2>{titleOf(draft, words)}</h2>
      <p className={css.text}>{draft.text || words('nothingYet')}</p>
      <p className={css.actions}>
        {to && (
          <Link to={to} className="button quiet">
            {words('goOn')}
          </Link>
        )}
        <button type="button" className="plain" disabled={drop.isBusy} onClick={() => void ask()}>
          {words('drop')}
        </button>
      </p>
    </li>
  )
}

function titleOf({ kind, title, member, topic }: Draft, words: Translate): string {
  if (kind === 'topic' || kind === 'question') return title || words('untitled')
  if (kind === 'message') return member?.name ?? ''
  return topic?.title ?? words('gone')
}

/** The address of the form to resume it; null if its topic is no longer visible. */
function pathOf({ place, kind, topic, member, commentId }: Draft): string | null {
  const form = formHash(place)
  if (kind === 'topic') return `/addTopic${form}`
  if (kind === 'question') return `/addQuestion${form}`
  if (kind === 'message') return member && `/user/control/privateMessageChatList?userId=${member.id}`
  if (!topic) return null
  if (kind === 'edit topic') return `${editPath(topic.id, topic.kind)}${form}`
  if (commentId === null) return `${threadPath(topic.id, topic.kind)}${form}`
  const replyId = /^edit reply (\d+)$|^reply \d+ (\d+)$/.exec(place)
  const among = replyId ? `&replyId=${replyId[1] ?? replyId[2]}` : ''
  return `${threadPath(topic.id, topic.kind)}&commentId=${commentId}${among}${form}`
}
