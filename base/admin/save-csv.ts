import { csvOf } from '#base/admin/csv.ts'

/** Gives the person a file of these rows. */
export function saveCsv(rows: readonly (readonly string[])[], name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([csvOf(rows)], { type: 'text/csv' }))
  link.download = `${name}.csv`
  link.click()
  URL.revokeObjectURL(link.href)
}
