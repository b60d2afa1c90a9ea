import type { Page } from '@playwright/test'

interface HeldAnswer {
  /** Pieces that have come so far. */
  pieces: readonly string[]
}

/** From now on the page's streamed answers begin with these pieces and never end, as where a model is slow. */
export async function holdAnswers(page: Page, { pieces }: HeldAnswer): Promise<void> {
  await page.evaluate((begin) => {
    const send = window.fetch
    Object.assign(window, { sendForReal: send })
    window.fetch = async (input, init) => {
      const isQuestion = typeof input === 'string' && input.endsWith('/contextual-response/stream')
      if (!isQuestion) return send(input, init)
      const lines = begin.map((piece) => `data: ${JSON.stringify(piece)}\n\n`).join('')
      return new Response(new ReadableStream({ start: (line) => line.enqueue(new TextEncoder().encode(lines)) }), {
        headers: { 'content-type': 'text/event-stream' },
      })
    }
  }, pieces)
}

export function releaseAnswers(page: Page): Promise<void> {
  return page.evaluate(() => {
    window.fetch = (window as unknown as { sendForReal: typeof fetch }).sendForReal
  })
}
