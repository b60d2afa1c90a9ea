// Asks for what a page of a signed-in person needs in any case while the app itself, which would ask, is still on its way.
// The landing page is drawn first. The cookie is that of web/features/auth/visitor.ts; web/build/early-files.ts names the files.
if (location.pathname !== '/' && /(?:^|;\s*)__client_uat(?:_[\w-]+)?=[1-9]/.test(document.cookie)) {
  const { clerk, modules } = document.currentScript.dataset
  const links = modules.split(' ').map((href) => ({ rel: 'modulepreload', href }))
  for (const link of [{ rel: 'preload', as: 'script', href: clerk }, ...links]) {
    document.head.append(Object.assign(document.createElement('link'), { crossOrigin: 'anonymous', ...link }))
  }
}
