import { useEffect, useState } from 'react'
import { useBlocker } from 'react-router'
import { confirm } from '#base/web/dialogs.ts'
import { useWords } from '#base/web/words.tsx'
import css from '#second-factor/web/codes.module.css'

/** One-time codes for a lost phone. Leaving before they are confirmed as saved asks for confirmation. */
export function RecoveryCodes({ codes, saved }: { codes: readonly string[]; saved: () => void }) {
  const words = useWords('secondFactor')
  const [isCopied, setCopied] = useState(false)
  useLeaveConfirmation(words('leaveCodes'), words('leaveCodesYes'))
  const text = `${codes.join('\n')}\n`
  return (
    <div className="note" role="status">
      <p>{words('recoveryWhat')}</p>
      <ul className={css.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className={css.actions}>
        <button
          type="button"
          className="button quiet"
          onClick={() =>
            void navigator.clipboard.writeText(text).then(
              () => setCopied(true),
              // Without permission to copy, the codes can be read or downloaded.
              (error: unknown) => console.info('The codes were not copied', error),
            )
          }
        >
          {words(isCopied ? 'copied' : 'copyCodes')}
        </button>
        <a className="button quiet" href={`data:text/plain,${encodeURIComponent(text)}`} download="recovery-codes.txt">
          {words('downloadCodes')}
        </a>
        <button type="button" className="button" onClick={saved}>
          {words('kept')}
        </button>
      </div>
    </div>
  )
}

function useLeaveConfirmation(question: string, yes: string): void {
  const blocker = useBlocker(({ currentLocation: from, nextLocation: to }) => from.pathname !== to.pathname)
  useEffect(() => {
    const left = new AbortController()
    addEventListener('beforeunload', (event) => event.preventDefault(), { signal: left.signal })
    return () => left.abort()
  }, [])
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    void confirm(question, yes).then((leaves) => (leaves ? blocker.proceed() : blocker.reset()))
  }, [blocker, question, yes])
}
