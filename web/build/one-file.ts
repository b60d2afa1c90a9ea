import { createHash } from 'node:crypto'
import type { Plugin } from 'vite'

/**
 * Puts script and style into the page, with a policy that allows these and nothing else: the page is opened from a disk
 * and must ask no network.
 */
export const oneFile: Plugin = {
  name: 'one-file',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const files = Object.values(bundle)
      const page = files.find(({ fileName }) => fileName.endsWith('.html'))
      const script = files.find((file) => file.type === 'chunk')
      const style = files.find(({ fileName }) => fileName.endsWith('.css'))
      if (page?.type !== 'asset' || script?.type !== 'chunk' || style?.type !== 'asset')
        throw new Error('The page that checks exports needs one script and one style.')
      const [code, css] = [script.code.trim().replaceAll('</', '<\\/'), style.source.toString().trim()]
      const allow = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
      const policy = `default-src 'none'; script-src ${allow(code)}; style-src ${allow(css)}; base-uri 'none'; form-action 'none'`
      const html = page.source.toString()
      page.source = cutOut(cutOut(html, '<script type="module"', '</script>'), '<link rel="stylesheet"', '>')
        .replace(
          '<meta charset="utf-8" />',
          () => `<meta charset="utf-8" />\n    <meta http-equiv="Content-Security-Policy" content="${policy}" />`,
        )
        .replace('</head>', () => `<style>${css}</style>\n  </head>`)
        .replace('</body>', () => `<script type="module">${code}</script>\n  </body>`)
      for (const { fileName } of [script, style]) delete bundle[fileName]
    },
  },
}

/** Takes the only element of a page away that begins and ends like this. */
function cutOut(html: string, begin: string, end: string): string {
  const from = html.indexOf(begin)
  return html.slice(0, from) + html.slice(html.indexOf(end, from) + end.length)
}
