import { useState } from 'react'
import { Dialog } from '#base/web/dialog.tsx'
import { useWords } from '#base/web/words.tsx'

/** A password that is shown once, to be passed on to its owner. */
export function Secret({ text, who, close }: { text: string; who: string; close: () => void }) {
  const words = useWords('staffAdmin')
  const [isCopied, setCopied] = useState(false)
  return (
    <Dialog title={words('secretTitle')} isOpen close={close}>
      <p>{words('secretWhat', { who })}</p>
      <p>
        <code>{text}</code>
      </p>
      <button
        type="button"
        className="button"
        data-first
        onClick={() =>
          void navigator.clipboard.writeText(text).then(
            () => setCopied(true),
            // Without clipboard access, the password can be read.
            (error: unknown) => console.info('The password was not copied', error),
          )
        }
      >
        {words(isCopied ? 'copied' : 'copy')}
      </button>
    </Dialog>
  )
}
