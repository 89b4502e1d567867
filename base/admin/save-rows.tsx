import { useState } from 'react'
import { saveCsv } from '#base/admin/save-csv.ts'
import type { Endpoint } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { CallFailed } from '#base/web/call.ts'
import { useWords } from '#base/web/words.tsx'

type SaveProps = {
  /** The call that notes it in the log of staff. */
  notes: Pick<Endpoint, 'path'>
  /** The filters of the page, as its address has them. */
  asked: string
  head: readonly string[]
  rows: readonly (readonly string[])[]
  /** Of the file. */
  name: string
}

/** Saves a table of a page as a file, once that is noted. */
export function SaveRows({ notes, asked, head, rows, name }: SaveProps) {
  const words = useWords('admin')
  const api = useApi()
  const [isBusy, setBusy] = useState(false)

  async function save(): Promise<void> {
    setBusy(true)
    try {
      await api.write(notes.path, { rows: rows.length, asked })
      saveCsv([head, ...rows], name)
    } catch (error) {
      // The call has told the person.
      if (!(error instanceof CallFailed)) throw error
    } finally {
      setBusy(false)
    }
  }

  return (
    <button type="button" className="button quiet" disabled={isBusy} onClick={() => void save()}>
      {words(isBusy ? 'exporting' : 'export')}
    </button>
  )
}
