import { useLoaderData } from 'react-router'
import type { Output } from '#base/contract.ts'
import { formatSize } from '#base/size.ts'
import { useAction } from '#base/web/action.ts'
import { Time } from '#base/web/time.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import type { askForData, DownloadView, openData, personalData } from '#personal-data/contract.ts'
import '#base/web/form.css'
import css from '#personal-data/web/personal-data-page.module.css'

/** All that is one's own, to be asked for and fetched. */
export function Page() {
  const words = useWords('personalData')
  const { downloads, mayAskAt } = useLoaderData<Output<typeof personalData>>()
  const asking = useAction<typeof askForData>('/user/control/personalData')
  return (
    <section className="column">
      <p>{words('what')}</p>
      <p className="meta">{words('whatNot')}</p>
      <p className="actions">
        <button
          type="button"
          className="button"
          disabled={asking.isBusy || mayAskAt !== null}
          onClick={() => void asking.run({}, { message: words('asked') })}
        >
          {words('ask')}
        </button>
        {mayAskAt !== null && <span className="meta">{words('askAgain')}</span>}
      </p>
      <h2>{words('copies')}</h2>
      {downloads.length === 0 && <p className="meta">{words('none')}</p>}
      <ol className={css.copies}>
        {downloads.map((one) => (
          <li key={one.id}>
            <Copy its={one} />
          </li>
        ))}
      </ol>
    </section>
  )
}

function Copy({ its: { askedAt, state, expiresAt, files } }: { its: DownloadView }) {
  const words = useWords('personalData')
  const language = useLanguage()
  return (
    <>
      <p className="meta">
        <Time at={askedAt} />
        {state === 'waiting' && <> · {words('waiting')}</>}
        {expiresAt && (
          <> · {words('until', { until: new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(new Date(expiresAt)) })}</>
        )}
      </p>
      {state === 'failed' && <p className="note">{words('failed')}</p>}
      {files.map((one) => (
        <Archive key={one.file} its={one} />
      ))}
    </>
  )
}

function Archive({ its: { file, name, bytes } }: { its: DownloadView['files'][number] }) {
  const words = useWords('personalData')
  const opening = useAction<typeof openData>('/user/control/personalData/open')

  async function fetchIt(): Promise<void> {
    const answer = await opening.run({ file })
    if (answer) location.assign(answer.address)
  }

  return (
    <p>
      <button type="button" className="button quiet" disabled={opening.isBusy} onClick={() => void fetchIt()}>
        {words('download', { name })} · {formatSize(bytes)}
      </button>
    </p>
  )
}
