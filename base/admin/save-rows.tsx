import { useState } from 'react'
import { saveCsv } from '#base/admin/save-csv.ts'
import type { Endpoint } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { CallFailed } from '#base/web/call.ts'
import { useWords } from '#base/web/words.tsx'

type SaveProps = {
  /** The endpoint that records the export in the audit log. */
  auditEndpoint: Pick<Endpoint, 'path'>
  /** The page's filters, as in its URL. */
  query: string
  head: readonly string[]
  rows: readonly (readonly string[])[]
  /** The name of the file. */
  name: string
}

/** Downloads a table as a file after the export is recorded. */
export function SaveRows({ auditEndpoint, query, head, rows, name }: SaveProps) {
  const words = useWords('admin')
  const api = useApi()
  const [isBusy, setBusy] = useState(false)

  async function save(): Promise<void> {
    setBusy(true)
    try {
      await api.write(auditEndpoint.path, { rows: rows.length, asked: query })
      saveCsv([head, ...rows], name)
    } catch (error) {
      // The call has reported it.
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
