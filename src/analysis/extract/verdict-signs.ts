/** Typical texts of error pages and walls. Titles and headings must match as a whole, part by part; other texts are searched. */

/** Matched against headings and the parts of a title: `404 | Example` has the part `404`. */
export const notFoundTitles = wholeMatch(
  "(?:error|fehler|erreur|errore?|http|ошибка)?[ :-]*404[ :,.!-]*(?:error|fehler|not found|page not found|file not found)?",
  "(?:sorry,? |oops[!,.]* )?(?:the |this |your )?(?:requested )?(?:page|file|content|resource|document|url)(?: you (?:requested|are looking for))? (?:was |is |could |can |does |has )?(?:not |n't |no longer )+(?:be |been )?(?:found|exist|available)",
  "not found|nothing found|page (?:missing|unavailable)|we can(?:'|no)t find (?:that|the) page(?: you(?:'re| are) looking for)?",
  "(?:die |diese )?(?:angeforderte |gewünschte )?seite (?:wurde |konnte |existiert )?nicht (?:gefunden|vorhanden|verfügbar|mehr vorhanden|gefunden werden)(?: werden)?|nicht gefunden",
  "(?:la |cette )?page (?:est |n'est |demandée |non |n'existe )*(?:introuvable|trouvée|pas|plus)|page non trouvée",
  "página no (?:encontrada|disponible|existe)|no se (?:ha encontrado|encontró|encuentra) la página",
  "pagina non (?:trovata|disponibile|esiste)|página não (?:encontrada|existe|disponível)",
  "(?:de )?pagina (?:is )?niet gevonden|sidan (?:kunde inte hittas|hittades inte|finns inte)|siden (?:blev ikke fundet|ble ikke funnet|finnes ikke|findes ikke)",
  "sivua ei löy(?:dy|tynyt)|nie znaleziono(?: strony)?|strona nie (?:istnieje|została znaleziona)|stránka (?:nenalezena|nebyla nalezena|sa nenašla)",
  "az oldal nem található|pagina nu (?:a fost găsită|există)|sayfa bulunamadı|η σελίδα δεν βρέθηκε",
  "(?:такой )?страниц[аы] не (?:найдена|существует)|сторінк[ау] не (?:знайдено|існує)|страницата не е намерена",
  "(?:お探しの)?ページ(?:が|は)(?:見つかりません(?:でした)?|存在しません)|(?:找不到|未找到)(?:该|此)?(?:页面|网页|頁面|網頁)|(?:页面|网页|頁面|網頁)(?:不存在|未找到|找不到|没有找到)",
  "페이지를 찾을 수 없습니다|الصفحة غير موجودة|הדף לא נמצא|trang không tồn tại|không tìm thấy trang|halaman tidak ditemukan",
);

export const wallTitles = wholeMatch(
  "just a moment|one moment,? please|un momento|einen moment(?: bitte)?|nur einen moment|un instant|attention required!?",
  "(?:403[ -]*)?(?:forbidden|access denied)|access to (?:this|the) (?:page|site|website) (?:has been|is|was) (?:denied|blocked)|zugriff verweigert|accès refusé|acceso denegado|accesso negato|acesso negado|доступ запрещ[её]н",
  "(?:are you (?:a )?(?:robot|human)|robot check|bot (?:check|verification)|human verification|security check|captcha|verify(?:ing)? (?:that )?you(?:'re| are) (?:a )?human|checking your browser)(?: required)?",
  "ddos-guard|ddos protection by .{1,30}|pardon our interruption|request (?:blocked|rejected)|you have been blocked|sicherheitsüberprüfung|bist du ein mensch|verificación de seguridad|vérification de sécurité",
);

export const wallTexts = partMatch(
  "checking (?:if the site connection is secure|your browser before)|enable javascript and cookies to continue|verify(?:ing)? (?:that )?you are (?:a |not a )?(?:human|robot|bot)",
  "(?:unusual|suspicious) (?:traffic|activity) from your|complete the (?:security check|captcha)|press (?:&|and) hold to confirm|why have i been blocked|you have been blocked|request unsuccessful\\. incapsula",
  "please (?:confirm|prove) (?:that )?you are (?:a human|not a robot)|to continue, please (?:confirm|verify)|you don't have permission to access .{1,200} on this server|bestätigen sie, dass sie (?:ein mensch|kein roboter)|confirmez que vous n'êtes pas un robot|подтвердите, что вы не робот|请完成(?:安全)?验证|私はロボットではありません",
);
/** Scripts of bot protection services. */
export const wallScripts =
  /\/cdn-cgi\/challenge-platform\/|captcha-delivery\.com|_incapsula_resource|px-cdn\.net|\/px\/captcha|perimeterx|ddos-guard\/js-challenge/i;

export const consentTitles = wholeMatch(
  "before you continue(?: to .{1,40})?|bevor sie (?:fortfahren|weiterlesen)|avant de continuer|antes de continuar|prima di continuare|voordat je verdergaat",
  "(?:cookie |privacy |your )?(?:consent|privacy choices)(?: required| management)?|cookie settings|cookie[- ]einstellungen|(?:wir|sie) (?:brauchen|benötigen) (?:ihre|deine) (?:zustimmung|einwilligung)|ihre (?:privatsphäre|zustimmung)",
  "we value your privacy|wir respektieren ihre privatsphäre|nous respectons votre vie privée|(?:mit werbung|weiter) (?:weiterlesen|lesen|mit werbung)|zustimmen und weiter(?:lesen)?",
);
export const consentTexts = partMatch(
  "(?:we|our) (?:and our |and \\d+ )?(?:\\d+ )?partners|accept all|reject all|alle akzeptieren|alle ablehnen|tout accepter|tout refuser|aceptar todo|accetta tutt|accept cookies|mit werbung (?:weiter|lesen|nutzen)|zustimmen und weiter",
);

export const loginTitles = wholeMatch(
  "(?:please )?(?:log|sign)[ -]?(?:in|on)(?: (?:to (?:continue|your account|view)|required|or (?:sign up|register)).{0,40})?|(?:login|sign-?in) (?:page|required|form)|(?:you must|you need to) (?:be logged in|log in).{0,60}",
  "anmelden|anmeldung|einloggen|connexion|se connecter|identifiez-vous|iniciar sesión|acceder|accedi|accesso|entrar|iniciar sessão|inloggen|aanmelden|logga in|log ind|logg inn|kirjaudu(?: sisään)?|zaloguj(?: się)?|logowanie|přihlášení|bejelentkezés|autentificare|giriş(?: yap)?|вход|войти|увійти|ログイン|登录|登入|로그인",
);
export const paywallTexts = partMatch(
  "(?:subscribe|sign in|log in|register|create (?:a|an)(?: free)? account) (?:now )?to (?:continue|keep|unlock|read|access)|to (?:continue reading|read the full|read this article)|(?:this|the) (?:article|content|story) is (?:for|available (?:only )?to|exclusive to) (?:our )?(?:paying )?(?:subscribers|members)",
  "(?:jetzt|weiter)lesen mit|(?:dieser|der) artikel ist (?:nur )?(?:für|exklusiv für) (?:unsere )?abonnent|réservé (?:à nos |aux )abonnés|(?:exclusivo|solo) para (?:suscriptores|assinantes)|contenuto riservato agli abbonati|この記事は(?:会員|有料)",
);

export const parkedTexts = partMatch(
  "(?:this|the) (?:web ?site |domain )?(?:domain|name|domain name|\\S{3,80}\\.[a-z]{2,10}) (?:is|may be|could be|might be) (?:available )?for sale|buy this domain|(?:inquire|enquire) about this domain|domain (?:is )?parked|parked (?:free|domain)|this domain (?:has expired|is registered|was recently registered|has been registered)|make an offer (?:on|for) this domain",
  "diese domain (?:steht zum verkauf|ist geparkt|wurde registriert|kaufen|ist zu verkaufen)|domain (?:zu verkaufen|zum verkauf)|ce (?:nom de )?domaine est (?:à vendre|en vente|réservé)|este dominio (?:está (?:en|à) venta|está a la venta)|dominio in vendita|dit domein is te koop|domena jest na sprzedaż|домен (?:прода[её]тся|припаркован)|このドメインは|此域名(?:可|正在)?出售",
);
export const parkedScripts =
  /parkingcrew|sedoparking|bodis\.com|parklogic|above\.com\/marketplace|\bparking\.(?:js|php)|hugedomains|dan\.com\/|afternic/i;

export const scriptTexts = partMatch(
  "(?:enable|activate|turn on|requires?|need(?:s)?|without) javascript|javascript (?:is |to be |must be |needs to be |seems to be )?(?:enabled|required|disabled|not enabled|aktivieren)|javascript (?:aktivieren|erforderlich)|activer javascript|activar javascript|включите javascript|javascriptを有効",
);

/** Matches a whole part of a title. */
function wholeMatch(...patterns: string[]): RegExp {
  return new RegExp(`^\\W*(?:${patterns.join("|")})[\\s.…!?:)-]*$`, "iu");
}

function partMatch(...patterns: string[]): RegExp {
  return new RegExp(patterns.join("|"), "iu");
}
