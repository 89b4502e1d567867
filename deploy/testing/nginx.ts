import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram } from '../../tools/find-program.ts'
import { startPart, type Part } from './part.ts'

/** Starts nginx with a site in a folder of its own, as Debian's nginx.conf includes one. */
export async function startNginx(folder: string, site: string, port: number): Promise<Part> {
  const own = join(folder, 'nginx')
  mkdirSync(own)
  writeFileSync(join(own, 'site.conf'), site)
  writeFileSync(join(own, 'nginx.conf'), main)
  const args = ['-p', `${own}/`, '-c', 'nginx.conf', '-e', 'error.log', '-g', 'daemon off;']
  return startPart({ program: await findProgram('nginx'), args, port, reload: 'SIGHUP' })
}

const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((what) => `${what}_temp_path ${what};`).join('\n  ')

const main = `worker_processes 2;
pid nginx.pid;
events {}
http {
  access_log off;
  ${temporary}
  # As in Debian's.
  gzip on;
  include site.conf;
}
`
