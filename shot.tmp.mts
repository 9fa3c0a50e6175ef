import { chromium } from "playwright-core";
import spc from "@sparticuz/chromium";
const b = await chromium.launch({executablePath: await spc.executablePath(), args:["--no-sandbox","--headless=shell","--disable-gpu"]});
const pages = process.argv.slice(2);
for (const page of pages) for (const [name,w,h,scheme] of [["desk",1280,900,"light"],["phone",360,740,"dark"]] as const) {
  const c = await b.newContext({viewport:{width:w,height:h},colorScheme:scheme});
  const p = await c.newPage();
  await p.goto("file:///tmp/wt/site/out/site/"+page);
  const wide = await p.evaluate(()=>document.documentElement.scrollWidth);
  if (wide>w) console.log("WIDE",page,name,wide);
  await p.screenshot({path:`/tmp/site-tmp/${page.replace(/\W/g,"_")}_${name}.png`});
  await c.close();
}
await b.close();
