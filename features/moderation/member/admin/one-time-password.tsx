import { useState } from 'react'
import { Dialog } from '#base/web/dialog.tsx'
import { useWords } from '#base/web/words.tsx'

/** A password that is shown once, to be handed to its owner. */
export function OneTimePassword({ password, close }: { password: string; close: () => void }) {
  const words = useWords('memberAdmin')
  const [isCopied, setCopied] = useState(false)

  function copied(): void {
    setCopied(true)
  }

  return (
    <Dialog title={words('passwordTitle')} isOpen close={close}>
      <p>{words('passwordWhat')}</p>
      <p>
        <code>{password}</code>
      </p>
      <button
        type="button"
        className="button"
        data-first
        onClick={() =>
          void navigator.clipboard.writeText(password).then(copied, (error: unknown) => console.info('The password was not copied', error))
        }
      >
        {words(isCopied ? 'copied' : 'copy')}
      </button>
    </Dialog>
  )
}
