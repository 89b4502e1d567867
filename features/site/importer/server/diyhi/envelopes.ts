import { integer, text, type Row } from '#importer/server/tables/source-tables.ts'
import { rowsByText, type Diyhi } from '#importer/server/diyhi/source.ts'

/** What to note of the red envelope of a topic: its money does not come along. */
export async function envelopesOf(diyhi: Diyhi, rows: readonly Row[]): Promise<(row: Row) => string | null> {
  const idIn = (row: Row) => text(row, 'giveRedEnvelopeId', diyhi.decode)
  const ids = rows.map(idIn).filter((one) => one !== '')
  const envelopes = await rowsByText(diyhi, { table: 'giveredenvelope', columns: ['remainingQuantity', 'refundAmount'], column: 'id' }, ids)
  return (row) => {
    if (idIn(row) === '') return null
    const [envelope] = envelopes(idIn(row))
    const isOpen = envelope && integer(envelope, 'remainingQuantity') > 0 && envelope['refundAmount'] === null
    return isOpen ? 'red envelope that was still open, whose rest its giver has to be given by hand' : 'red envelope'
  }
}
