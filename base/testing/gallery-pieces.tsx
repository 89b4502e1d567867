import { useState } from 'react'
import { toSegments } from '#base/rich-text/to-html.ts'
import { useApi } from '#base/web/api.ts'
import { confirm } from '#base/web/dialogs.ts'
import { focusNext } from '#base/web/focus-later.ts'
import { Prompt } from '#base/web/prompt.tsx'
import { Html } from '#base/web/html.tsx'
import { Icon } from '#base/web/icon.tsx'
import { Menu, MenuButton, MenuLink } from '#base/web/menu.tsx'
import { Pagination } from '#base/web/pagination.tsx'
import { Empty, Failed, Skeleton } from '#base/web/states.tsx'
import { Time } from '#base/web/time.tsx'
import { toast } from '#base/web/toast.tsx'
import { sample } from '#base/testing/gallery-sample.ts'

const html = toSegments(sample, { picture: () => null, mention: () => null })
  .map((segment) => segment.html)
  .join('')

/** One of each base component. */
export function ComponentStories() {
  const [result, setResult] = useState('')
  const [prompting, setPrompting] = useState(false)
  const [renders, setRenders] = useState(0)
  return (
    <>
      <Actions setResult={setResult} ask={() => setPrompting(true)} />
      <p>
        <output id="result">{result}</output> <span className="mark">Pinned</span> <span className="meta">mei</span>{' '}
        <Time at="2026-03-01T09:00:00Z" />
      </p>
      <button type="button" className="button quiet" onClick={() => setRenders(renders + 1)}>
        Draw again {renders}
      </button>
      <SlowlyReplaced />
      <Pagination page={6} pages={20} total={400} />
      <Html html={html} className="prose" id="post" />
      <div className="note">
        <Empty
          action={
            <a className="button" href="/form">
              Write the first
            </a>
          }
        >
          Nothing has been said here yet.
        </Empty>
      </div>
      <Failed />
      <Skeleton lines={3} />
      <Prompt
        title="Name the pot"
        label="Name"
        action="Name it"
        isOpen={prompting}
        close={() => setPrompting(false)}
        check={/^[a-z]+$/g}
        onSubmit={setResult}
      />
    </>
  )
}

type ActionsProps = { setResult: (text: string) => void; ask: () => void }

function Actions({ setResult, ask }: ActionsProps) {
  const api = useApi()
  const actions: [string, () => unknown][] = [
    ['Say', () => toast('The pot is warm')],
    ['Say for long', () => toast('Invalid request (400)', { isPersistent: true })],
    ['Ask', async () => setResult(String(await confirm('Pour it away?', 'Pour away')))],
    ['Prompt', ask],
    [
      'Call',
      () =>
        void api.read('/tea', {}).then(
          () => setResult('answered'),
          () => undefined,
        ),
    ],
    ['Call in silence', () => void api.read('/tea', {}, { silent: true }).catch(() => undefined)],
  ]
  return (
    <div style={{ display: 'flex', flexWrap: 'wrap', gap: 8 }}>
      {actions.map(([name, action]) => (
        <button key={name} type="button" className="button quiet" onClick={() => void action()}>
          {name}
        </button>
      ))}
      <Menu label="More">
        <MenuButton onClick={() => setResult('edited')}>
          <Icon name="edit" /> Edit
        </MenuButton>
        <MenuLink to="/form">
          <Icon name="link" /> To the form
        </MenuLink>
        <MenuButton danger onClick={() => setResult('gone')}>
          <Icon name="bin" /> Delete
        </MenuButton>
      </Menu>
    </div>
  )
}

/** A button whose page is replaced some time after the navigation, as on a busy machine. */
function SlowlyReplaced() {
  const [isReplaced, setIsReplaced] = useState(false)
  function leave(): void {
    focusNext('#arrived')
    setTimeout(() => setIsReplaced(true), 1_000)
  }
  if (isReplaced)
    return (
      <p id="arrived" tabIndex={-1}>
        Arrived
      </p>
    )
  return (
    <button type="button" className="button quiet" onClick={leave}>
      Leave
    </button>
  )
}
