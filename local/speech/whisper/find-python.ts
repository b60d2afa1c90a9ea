import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { z } from 'zod'
import { PYTHON_VERSIONS } from './wheel-lock.ts'

const Python = z.object({
  path: z.string(),
  /** Such as `3.12`. */
  version: z.string(),
  /** As `process.platform` and `process.arch` name it; a Python may run in another architecture than Node. */
  platform: z.string(),
})
export type Python = z.infer<typeof Python>

/** Programs that may be a Python, each with its first arguments; Windows has a launcher that finds the newest. */
export function pythonCommands(platform: NodeJS.Platform): string[][] {
  if (platform === 'win32') return [['py', '-3'], ['python'], ['python3']]
  const newestFirst = PYTHON_VERSIONS.toReversed().map((version) => [`python${version}`])
  return [['python3'], ['python'], ...newestFirst]
}

/** Prints what a Python is, in the words of Node. */
const PROBE = `
import json, platform, sys, sysconfig
machine = {'x86_64': 'x64', 'amd64': 'x64', 'aarch64': 'arm64', 'arm64': 'arm64'}.get(platform.machine().lower(), platform.machine())
bits = '' if sys.maxsize > 2**32 else '-32-bit'
libc = '-musl' if 'musl' in (sysconfig.get_config_var('HOST_GNU_TYPE') or '') else ''
# The oldest systems that the wheels run on.
for name, version, oldest in [('glibc', platform.libc_ver()[1], (2, 28)), ('macos', platform.mac_ver()[0], (14, 0))]:
    if version and tuple(int(part) for part in version.split('.')[:2]) < oldest:
        libc += '-' + name + version
threads = 't' if sysconfig.get_config_var('Py_GIL_DISABLED') else ''
other = '' if platform.python_implementation() == 'CPython' else platform.python_implementation() + ' '
print(json.dumps({
    'path': sys.executable,
    'version': '%s%d.%d%s' % (other, sys.version_info[0], sys.version_info[1], threads),
    'platform': sys.platform + '-' + machine + bits + libc,
}))
`

const PROBE_WITHIN_MS = 10_000

async function probe([program = '', ...args]: string[]): Promise<Python | null> {
  try {
    const options = { timeout: PROBE_WITHIN_MS, windowsHide: true }
    const { stdout } = await promisify(execFile)(program, [...args, '-I', '-c', PROBE], options)
    return Python.parse(JSON.parse(stdout))
  } catch {
    // Not there, or no Python: the Windows store has a program of that name that only opens a shop.
    return null
  }
}

export interface FoundPythons {
  /** The first that the engine runs on; null where there is none. */
  python: Python | null
  /** Those that it does not run on, for the sentence that says so. */
  others: Python[]
}

/** Finds a Python that the engine runs on. @param isFit whether there are wheels for it */
export async function findPython(
  isFit: (python: Python) => boolean,
  commands = pythonCommands(process.platform),
): Promise<FoundPythons> {
  const others: Python[] = []
  for (const command of commands) {
    const python = await probe(command)
    if (python !== null && isFit(python)) return { python, others }
    if (python !== null) others.push(python)
  }
  return { python: null, others }
}
