import { toCsv } from '#base/admin/csv.ts'

/** Downloads these rows as a file. */
export function saveCsv(rows: readonly (readonly string[])[], name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([toCsv(rows)], { type: 'text/csv' }))
  link.download = `${name}.csv`
  link.click()
  URL.revokeObjectURL(link.href)
}
