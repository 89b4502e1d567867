import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram } from '../../tools/find-program.ts'

export const siteName = 'tea.example.org'

/** `both` is the certificate with its key in one file. */
export type Certificate = { certificate: string; key: string; both: string }

/** A certificate for the site of the deploy files, signed by itself. */
export async function aCertificate(folder: string): Promise<Certificate> {
  const [certificate, key, both] = ['certificate.pem', 'key.pem', 'both.pem'].map((name) => join(folder, name)) as [string, string, string]
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  const names = ['-subj', `/CN=${siteName}`, '-addext', `subjectAltName=DNS:${siteName}`]
  execFileSync(await findProgram('openssl'), ['req', ...kind, ...names, '-keyout', key, '-out', certificate], { stdio: 'ignore' })
  writeFileSync(both, readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'))
  return { certificate, key, both }
}
