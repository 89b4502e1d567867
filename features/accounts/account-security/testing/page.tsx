import { useState } from 'react'
// First, because it tells zod that the page's policy forbids code from strings.
import '#base/web/no-eval.ts'
import { api, renderTestPage } from '#base/testing/test-page.tsx'
import { DialogHost } from '#base/web/dialog-host.tsx'
import { Toasts } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import type { security } from '#account-security/contract.ts'
import { Page as Passkeys } from '#account-security/web/passkeys-page.tsx'
import { showPasskey } from '#second-factor/web/second-factor.tsx'

/** A test page: the passkeys of a member, and a button that shows one of any member. */

function Show() {
  const words = useWords('secondFactor')
  const [shown, setShown] = useState('')
  async function show(): Promise<void> {
    const asked = { challenge: 'c2hvdyBpdA', site: 'localhost', known: [] }
    setShown(JSON.stringify(await showPasskey(asked, words)))
  }
  return (
    <p>
      <button type="button" onClick={() => void show()}>
        Show a passkey
      </button>
      <output>{shown}</output>
    </p>
  )
}

function Page() {
  return (
    <main className="column">
      <Passkeys />
      <Show />
      <Toasts />
      <DialogHost />
    </main>
  )
}

renderTestPage([{ path: '*', Component: Page, loader: () => api.read<typeof security>('/user/control/security', {}) }])
