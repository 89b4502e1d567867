import { useEffect, useEffectEvent, useState } from 'react'
import type { conversations, removeConversation, removeConversations, renameConversation } from '#assistant/contract.ts'
import { newConversation, openConversation, conversationState } from '#assistant/web/conversation.ts'
import type { Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { confirm } from '#base/web/dialogs.ts'
import { CallFailed } from '#base/web/call.ts'
import { Menu, MenuButton } from '#base/web/menu.tsx'
import { Prompt } from '#base/web/prompt.tsx'
import { Empty, Failed, Skeleton } from '#base/web/states.tsx'
import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#assistant/web/history.module.css'

type Conversations = Output<typeof conversations>
type Row = Conversations['conversations'][number]

/** One's own conversations with the assistant, latest first. */
export function History({ close }: { close: () => void }) {
  const words = useWords('assistant')
  const api = useApi()
  const { keyword, setKeyword, list, hasFailed, load, more } = useConversations()
  const { rename, remove, removeAll } = useActions(load)
  const [renamed, setRenamed] = useState<Row | null>(null)

  function open(row: Row): void {
    void openConversation({ api, words }, row.id)
    close()
  }

  return (
    <div className={css.history}>
      <input
        type="search"
        aria-label={words('search')}
        placeholder={words('search')}
        maxLength={100}
        value={keyword}
        onChange={(event) => setKeyword(event.target.value)}
      />
      {hasFailed && <Failed retry={() => void load()} />}
      {!list && !hasFailed && <Skeleton />}
      {list && !hasFailed && (
        <List
          {...{ list, keyword, open, more, rename: setRenamed, remove: (row) => told(remove(row)), removeAll: () => told(removeAll()) }}
        />
      )}
      <Prompt
        key={renamed?.id}
        title={words('rename')}
        label={words('nameField')}
        action={words('save')}
        isOpen={renamed !== null}
        initial={renamed?.title ?? ''}
        check={(title) => (title.trim() !== '' && title.length <= 100) || words('nameEmpty')}
        close={() => setRenamed(null)}
        onSubmit={(title) => renamed && told(rename(renamed, title))}
      />
    </div>
  )
}

function useActions(load: () => Promise<void>) {
  const words = useWords('assistant')
  const api = useApi()

  async function rename({ id }: Row, title: string): Promise<void> {
    await api.write<typeof renameConversation>('/assistant/conversation/rename', { conversationId: id, title })
    await load()
  }

  async function remove({ id }: Row): Promise<void> {
    if (!(await confirm(words('removeQuestion'), words('remove')))) return
    await api.write<typeof removeConversation>('/assistant/conversation/remove', { conversationId: id })
    if (conversationState.get().conversationId === id) newConversation()
    await load()
  }

  async function removeAll(): Promise<void> {
    if (!(await confirm(words('removeAllQuestion'), words('removeAll')))) return
    await api.write<typeof removeConversations>('/assistant/conversations/remove', {})
    newConversation()
    await load()
  }
  return { rename, remove, removeAll }
}

/** The call has reported a failure. */
function told(doing: Promise<void>): void {
  doing.catch((error: unknown) => {
    if (!(error instanceof CallFailed)) throw error
  })
}

type ListProps = {
  list: Conversations
  keyword: string
  open: (row: Row) => void
  rename: (row: Row) => void
  remove: (row: Row) => void
  removeAll: () => void
  more: () => Promise<void>
}

function List({ list: { conversations, page, pages, keptDays }, keyword, open, rename, remove, removeAll, more }: ListProps) {
  const words = useWords('assistant')
  if (conversations.length === 0)
    return keyword ? <p className="empty">{words('noMatch', { keyword })}</p> : <Empty>{words('noTalks')}</Empty>
  return (
    <>
      <ul className={css.list}>
        {conversations.map((row) => (
          <li key={row.id}>
            <button type="button" className={css.row} onClick={() => open(row)}>
              <span>{row.title}</span>
              <span className="meta">
                <Time at={row.at} />
              </span>
            </button>
            <Menu label={words('actionsOf', { title: row.title })}>
              <MenuButton onClick={() => rename(row)}>{words('rename')}</MenuButton>
              <MenuButton danger onClick={() => remove(row)}>
                {words('remove')}
              </MenuButton>
            </Menu>
          </li>
        ))}
      </ul>
      {page < pages && (
        <button type="button" className="button quiet" onClick={() => told(more())}>
          {words('more')}
        </button>
      )}
      <p className="meta">{words('keptDays', { days: keptDays })}</p>
      {!keyword && (
        <button type="button" className="plain" onClick={removeAll}>
          {words('removeAll')}
        </button>
      )}
    </>
  )
}

const typedMs = 250

/** The list, filtered by the typed text. */
function useConversations() {
  const api = useApi()
  const [keyword, setKeyword] = useState('')
  const [list, setList] = useState<Conversations | null>(null)
  const [hasFailed, setFailed] = useState(false)

  function ask(page: number): Promise<Conversations> {
    return api.read<typeof conversations>('/assistant/conversations', { keyword, page }, { silent: true })
  }

  async function load(isStill = () => true): Promise<void> {
    try {
      const found = await ask(1)
      if (!isStill()) return
      setList(found)
      setFailed(false)
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      if (isStill()) setFailed(true)
    }
  }

  async function more(): Promise<void> {
    if (!list) return
    const next = await ask(list.page + 1)
    setList({ ...next, conversations: [...list.conversations, ...next.conversations] })
  }

  const loadNow = useEffectEvent(load)
  useEffect(() => {
    let isLatest = true
    const timer = setTimeout(() => void loadNow(() => isLatest), keyword ? typedMs : 0)
    return () => {
      isLatest = false
      clearTimeout(timer)
    }
  }, [keyword])
  return { keyword, setKeyword, list, hasFailed, load: () => load(), more }
}
