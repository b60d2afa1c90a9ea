import { spawn } from 'node:child_process'
import { open } from 'node:fs/promises'

export interface Program {
  command: string
  args: string[]
  /** File that gets what the program prints. */
  outputPath: string
  /** Aborting kills the program; the promise settles when it is gone. */
  signal: AbortSignal
}

export interface ProgramEnd {
  /** Null when the program was killed. */
  code: number | null
  /** The end of what it wrote to standard error. */
  complaint: string
}

const COMPLAINT_CHARS = 2000

/** Runs a program to its end. @throws when it cannot be started, for example because it is not installed. */
export async function runProgram({ command, args, outputPath, signal }: Program): Promise<ProgramEnd> {
  // A file, not a pipe: what was printed before a kill is there to be read.
  const output = await open(outputPath, 'w')
  try {
    return await new Promise((resolve, reject) => {
      let complaint = ''
      const child = spawn(command, args, { stdio: ['ignore', output.fd, 'pipe'] })
      const kill = () => child.kill('SIGKILL')
      child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        complaint = (complaint + text).slice(-COMPLAINT_CHARS)
      })
      child.once('error', reject)
      child.once('close', (code) => {
        signal.removeEventListener('abort', kill)
        resolve({ code, complaint: complaint.trim() })
      })
      if (signal.aborted) kill()
      else signal.addEventListener('abort', kill, { once: true })
    })
  } finally {
    await output.close()
  }
}
